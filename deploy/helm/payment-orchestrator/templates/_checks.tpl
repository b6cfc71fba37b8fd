{{/* Values that a schema cannot judge, or of which it could not say in a sentence what to do instead. */}}
{{- define "orchestrator.checks" -}}
{{- include "orchestrator.checkNames" . -}}
{{- include "orchestrator.checkReplicas" . -}}
{{- include "orchestrator.checkExtraEnv" . -}}
{{- include "orchestrator.checkLabels" . -}}
{{- if not (or .Values.existingSecret .Values.secretSettings) -}}
{{- fail "existingSecret is empty and so is secretSettings: name a Secret with DATABASE_URL, JWT_SECRET and ENCRYPTION_KEY in one of them" -}}
{{- end -}}
{{- if not .Values.existingSecret -}}
{{- range $one := list "DATABASE_URL" "ENCRYPTION_KEY" "JWT_SECRET or JWT_PRIVATE_KEY" -}}
{{- $given := false -}}
{{- range $name := splitList " or " $one -}}
{{- if hasKey $.Values.secretSettings $name -}}{{- $given = true -}}{{- end -}}
{{- end -}}
{{- if not $given -}}
{{- fail (printf "secretSettings lacks %s, and existingSecret, which could hold it, is empty" $one) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and .Values.networkPolicy.enabled (empty .Values.networkPolicy.stores) -}}
{{- fail "networkPolicy.stores is empty: say where PostgreSQL and Redis are, or the policies keep the pods from them" -}}
{{- end -}}
{{- if and .Values.networkPolicy.enabled (empty .Values.networkPolicy.dns) -}}
{{- fail "networkPolicy.dns is empty: say where names are resolved, as peers of a NetworkPolicy" -}}
{{- end -}}
{{- end }}

{{/* What the chart sets itself: probes, Services and commands go by it. */}}
{{- define "orchestrator.fixedSettings" -}}
HOST PORT WORKER_PORT MANAGEMENT_PORT METRICS_PORT DATA_DIR NODE_OPTIONS
{{- end }}

{{/* Space, names of all settings of .env.example with a space behind each. */}}
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
{{- fail (printf "%s.%s: the chart sets %s itself; leave it out" $place $name $name) -}}
{{- else if not (has $name $known) -}}
{{- fail (printf "%s.%s: there is no such setting; .env.example lists all of them. Variables of other programs belong in extraEnv" $place $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $name, $_ := .Values.config -}}
{{- if regexMatch "(SECRET|_KEY|_TOKEN|PASSWORD|_HEADERS)$|^(DATABASE|REDIS)_([A-Z]+_)?URL$" $name -}}
{{- fail (printf "config.%s: %s is a secret, or a URL that carries a password; put it in the Secret that existingSecret names, or in secretSettings" $name $name) -}}
{{- else if hasKey $root.Values.secretSettings $name -}}
{{- fail (printf "%s is in config and in secretSettings: leave it in one of them" $name) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* A value that is set to null takes its defaults with it. Each template begins with this check: Helm renders them in no certain order. */}}
{{- define "orchestrator.checkNulls" -}}
{{- $root := . -}}
{{- range $path := list "image" "config" "secretSettings" "serviceAccount" "api" "api.resources" "api.autoscaling" "worker" "worker.resources" "worker.autoscaling" "worker.keda" "migrate" "migrate.resources" "service" "ingress" "networkPolicy" "networkPolicy.blockedNetworks" "serviceMonitor" "prometheusRule" -}}
{{- $at := $root.Values -}}
{{- range $name := splitList "." $path -}}
{{- $at = get $at $name -}}
{{- end -}}
{{- if not (kindIs "map" $at) -}}
{{- fail (printf "%s is null and takes an object: leave it out for its defaults" $path) -}}
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
{{- fail (printf "%s is null: leave it out for its default" (printf "%s.%s" $path $name | trimPrefix "..")) -}}
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
{{- fail (printf "extraEnv: %s is there twice; leave one of them out" .name) -}}
{{- else if has .name $fixed -}}
{{- fail (printf "extraEnv: the chart sets %s itself; leave it out" .name) -}}
{{- else if has .name $known -}}
{{- fail (printf "extraEnv: %s is a setting of the service; put it in config, or in secretSettings if it is a secret" .name) -}}
{{- end -}}
{{- $_ := set $seen .name true -}}
{{- end -}}
{{- end }}

{{- define "orchestrator.checkLabels" -}}
{{- $taken := fromYaml (include "orchestrator.labels" (dict "root" . "component" "api")) -}}
{{- range $name, $_ := .Values.podLabels -}}
{{- if hasKey $taken $name -}}
{{- fail (printf "podLabels: %s is a label of the chart's own, by which Services and policies find the pods" $name) -}}
{{- end -}}
{{- end -}}
{{- end }}
