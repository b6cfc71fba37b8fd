{{/* Checks that a schema cannot do, or for which it cannot say what to do instead. */}}
{{- define "orchestrator.checks" -}}
{{- include "orchestrator.checkNames" . -}}
{{- include "orchestrator.checkReplicas" . -}}
{{- include "orchestrator.checkExtraEnv" . -}}
{{- include "orchestrator.checkLabels" . -}}
{{- if not (or .Values.existingSecret .Values.secretSettings) -}}
{{- fail "existingSecret and secretSettings are empty: name a Secret with DATABASE_URL, JWT_SECRET and ENCRYPTION_KEY in one of them" -}}
{{- end -}}
{{- if not .Values.existingSecret -}}
{{- range $one := list "DATABASE_URL" "ENCRYPTION_KEY" "JWT_SECRET or JWT_PRIVATE_KEY" -}}
{{- $given := false -}}
{{- range $name := splitList " or " $one -}}
{{- if hasKey $.Values.secretSettings $name -}}{{- $given = true -}}{{- end -}}
{{- end -}}
{{- if not $given -}}
{{- fail (printf "secretSettings lacks %s, and existingSecret is empty: add it to secretSettings, or name a Secret that contains it" $one) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and .Values.networkPolicy.enabled (empty .Values.networkPolicy.stores) -}}
{{- fail "networkPolicy.stores is empty: add the addresses of PostgreSQL and Redis, or the pods cannot reach them" -}}
{{- end -}}
{{- if and .Values.networkPolicy.enabled (empty .Values.networkPolicy.dns) -}}
{{- fail "networkPolicy.dns is empty: add the DNS service, as peers of a NetworkPolicy" -}}
{{- end -}}
{{- end }}

{{/* Settings that the chart sets itself, because probes, Services and commands depend on them. */}}
{{- define "orchestrator.fixedSettings" -}}
HOST PORT WORKER_PORT MANAGEMENT_PORT METRICS_PORT DATA_DIR NODE_OPTIONS
{{- end }}

{{/* Names of all settings in .env.example, separated by spaces. */}}
{{- define "orchestrator.knownSettings" -}}
{{- range splitList "\n" (.Files.Get "settings.env") }}{{ regexFind "^[A-Z][A-Z0-9_]*=" . | trimSuffix "=" }} {{ end -}}
{{- end }}

{{- define "orchestrator.checkNames" -}}
{{- $root := . -}}
{{- $fixed := splitList " " (include "orchestrator.fixedSettings" .) -}}
{{- $known := splitList " " (include "orchestrator.knownSettings" .) -}}
{{- range $place := list "config" "secretSettings" -}}
{{- range $name, $_ := get $root.Values $place -}}
{{- if has $name $fixed -}}
{{- fail (printf "%s.%s: the chart sets %s itself: remove it" $place $name $name) -}}
{{- else if not (has $name $known) -}}
{{- fail (printf "%s.%s: there is no such setting. .env.example lists all settings; variables of other programs belong in extraEnv" $place $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $name, $_ := .Values.config -}}
{{- if regexMatch "(SECRET|_KEY|_TOKEN|PASSWORD|_HEADERS)$|^(DATABASE|REDIS)_([A-Z]+_)?URL$" $name -}}
{{- fail (printf "config.%s: %s is a secret, or a URL that may contain a password: move it to the Secret of existingSecret, or to secretSettings" $name $name) -}}
{{- else if hasKey $root.Values.secretSettings $name -}}
{{- fail (printf "%s is in config and in secretSettings: remove one of them" $name) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* A null value removes its defaults, too. Each template begins with this check, because the order of rendering is not defined. */}}
{{- define "orchestrator.checkNulls" -}}
{{- $root := . -}}
{{- range $path := list "image" "config" "secretSettings" "serviceAccount" "api" "api.resources" "api.autoscaling" "worker" "worker.resources" "worker.autoscaling" "worker.keda" "migrate" "migrate.resources" "service" "ingress" "networkPolicy" "networkPolicy.blockedNetworks" "serviceMonitor" "prometheusRule" -}}
{{- $at := $root.Values -}}
{{- range $name := splitList "." $path -}}
{{- $at = get $at $name -}}
{{- end -}}
{{- if not (kindIs "map" $at) -}}
{{- fail (printf "%s is null but must be an object: remove it to use its defaults" $path) -}}
{{- end -}}
{{- end -}}
{{- range $path, $names := dict
  "." (list "listenAddress" "terminationGracePeriodSeconds")
  "image" (list "repository" "pullPolicy")
  "api" (list "replicas" "preStopSeconds" "heapPercent" "maxUnavailable")
  "api.autoscaling" (list "minReplicas" "maxReplicas" "targetCPUUtilizationPercentage")
  "worker" (list "replicas" "preStopSeconds" "heapPercent" "maxUnavailable")
  "worker.autoscaling" (list "minReplicas" "maxReplicas" "targetCPUUtilizationPercentage")
  "worker.keda" (list "minReplicas" "maxReplicas" "prometheusAddress" "lanesPerWorker" "oldestDueSeconds" "cpuUtilizationPercentage" "pollingIntervalSeconds")
  "migrate" (list "enabled" "backoffLimit" "activeDeadlineSeconds" "ttlSecondsAfterFinished")
  "service" (list "type" "port")
  "serviceAccount" (list "create")
  "networkPolicy.blockedNetworks" (list "ipv4" "ipv6")
  "serviceMonitor" (list "interval") -}}
{{- $at := $root.Values -}}
{{- range $name := without (splitList "." $path) "" -}}
{{- $at = get $at $name -}}
{{- end -}}
{{- range $name := $names -}}
{{- if not (hasKey $at $name) -}}
{{- fail (printf "%s is null: remove it to use its default" (printf "%s.%s" $path $name | trimPrefix "..")) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end }}

{{- define "orchestrator.checkReplicas" -}}
{{- range $path, $scaler := dict "api.autoscaling" .Values.api.autoscaling "worker.autoscaling" .Values.worker.autoscaling "worker.keda" .Values.worker.keda -}}
{{- if gt (int $scaler.minReplicas) (int $scaler.maxReplicas) -}}
{{- fail (printf "%s.minReplicas is %d, above its maxReplicas, %d" $path (int $scaler.minReplicas) (int $scaler.maxReplicas)) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{- define "orchestrator.checkExtraEnv" -}}
{{- $fixed := splitList " " (include "orchestrator.fixedSettings" .) -}}
{{- $known := splitList " " (include "orchestrator.knownSettings" .) -}}
{{- $seen := dict -}}
{{- range .Values.extraEnv -}}
{{- if not .name -}}
{{- fail "extraEnv: an entry has no name" -}}
{{- else if hasKey $seen .name -}}
{{- fail (printf "extraEnv: %s is listed twice: remove one of them" .name) -}}
{{- else if has .name $fixed -}}
{{- fail (printf "extraEnv: the chart sets %s itself: remove it" .name) -}}
{{- else if has .name $known -}}
{{- fail (printf "extraEnv: %s is a setting of the service: move it to config, or to secretSettings if it is a secret" .name) -}}
{{- end -}}
{{- $_ := set $seen .name true -}}
{{- end -}}
{{- end }}

{{- define "orchestrator.checkLabels" -}}
{{- $taken := fromYaml (include "orchestrator.labels" (dict "root" . "component" "api")) -}}
{{- range $name, $_ := .Values.podLabels -}}
{{- if hasKey $taken $name -}}
{{- fail (printf "podLabels: %s is set by the chart, because Services and policies select the pods by it" $name) -}}
{{- end -}}
{{- end -}}
{{- end }}
