{{/* Common parts of all pods; parameters: `root`, `component` and `of`, the component's values. */}}
{{- define "orchestrator.podSettings" -}}
{{- $values := .root.Values -}}
automountServiceAccountToken: false
{{- with include "orchestrator.serviceAccountName" .root }}
serviceAccountName: {{ . }}
{{- end }}
# otherwise each Service of the namespace sets variables, and one called `worker` would set WORKER_PORT
enableServiceLinks: false
{{- with $values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  {{- toYaml $values.podSecurityContext | nindent 2 }}
{{- with .of.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .of.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.extraVolumes }}
volumes:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "orchestrator.podMetadata" -}}
{{- $values := .root.Values -}}
labels:
  {{- include "orchestrator.labels" . | nindent 2 }}
  {{- with $values.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- if or $values.podAnnotations $values.secretVersion }}
annotations:
  {{- with $values.secretVersion }}
  payment-orchestrator/secret-version: {{ . | quote }}
  {{- end }}
  {{- with $values.podAnnotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}
{{- end }}

{{/* Common parts of all containers. The migration has the same settings, because it runs before any object of the release exists. */}}
{{- define "orchestrator.containerSettings" -}}
{{- $values := .root.Values -}}
image: {{ include "orchestrator.image" .root }}
imagePullPolicy: {{ $values.image.pullPolicy }}
securityContext:
  {{- toYaml $values.containerSecurityContext | nindent 2 }}
resources:
  {{- toYaml .of.resources | nindent 2 }}
{{- with $values.existingSecret }}
envFrom:
  - secretRef:
      name: {{ . }}
{{- end }}
env:
  - { name: HOST, value: {{ .root.Values.listenAddress | quote }} }
  - { name: PORT, value: '3000' }
  - { name: WORKER_PORT, value: '3001' }
  - { name: MANAGEMENT_PORT, value: '3002' }
  {{- range $name, $value := $values.config }}
  - name: {{ $name }}
    value: {{ include "orchestrator.text" $value | quote }}
  {{- end }}
  {{- range $name, $at := $values.secretSettings }}
  - name: {{ $name }}
    valueFrom:
      secretKeyRef:
        name: {{ $at.secret }}
        key: {{ $at.key }}
  {{- end }}
  {{- with $values.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with $values.extraVolumeMounts }}
volumeMounts:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* A number as it was written: Helm reads 1000000 as a float and would print 1e+06. */}}
{{- define "orchestrator.text" -}}
{{- if kindIs "float64" . -}}{{ if eq . (floor .) }}{{ int64 . }}{{ else }}{{ . }}{{ end }}{{- else -}}{{ . }}{{- end -}}
{{- end }}
