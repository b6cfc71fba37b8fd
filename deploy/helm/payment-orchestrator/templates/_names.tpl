{{/* Base of all names, at most 40 characters: the longest suffix and a pod's own 17 make 63. */}}
{{- define "orchestrator.name" -}}
{{- $chart := default .Chart.Name .Values.nameOverride -}}
{{- $full := ternary .Release.Name (printf "%s-%s" .Release.Name $chart) (contains $chart .Release.Name) -}}
{{- default $full .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{/* Labels that upgrades do not change; parameters: `root` and `component`. */}}
{{- define "orchestrator.selector" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "orchestrator.labels" -}}
{{ include "orchestrator.selector" . }}
app.kubernetes.io/version: {{ default .root.Chart.AppVersion .root.Values.image.tag | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "orchestrator.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ default $.Chart.AppVersion .tag }}{{ end }}
{{- end -}}
{{- end }}

{{/* Empty: the namespace's default. */}}
{{- define "orchestrator.serviceAccountName" -}}
{{- with .Values.serviceAccount -}}
{{- if .name }}{{ .name }}{{ else if .create }}{{ include "orchestrator.name" $ }}{{ end -}}
{{- end -}}
{{- end }}
