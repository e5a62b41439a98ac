{{- define "landlord.name" -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | replace "landlord-landlord" "landlord" | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{/* Labels that select the pods of a part. Call: (dict "root" $ "part" "main-api" "cell" "") */}}
{{- define "landlord.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- with .cell }}
landlord/cell: {{ . }}
{{- end }}
{{- end }}

{{- define "landlord.labels" -}}
{{ include "landlord.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{/* A digest names its bytes for ever, so it wins over the tag. */}}
{{- define "landlord.image" -}}
{{ .Values.image.repository }}
{{- with .Values.image.digest }}@{{ . }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{/* What all pods share. */}}
{{- define "landlord.pod" -}}
serviceAccountName: {{ .Values.serviceAccountName }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* What all containers share. */}}
{{- define "landlord.container" -}}
image: {{ include "landlord.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/* Call: (dict "root" $ "database" "main-api" "settings" (dict …)). The settings of this part win. */}}
{{- define "landlord.environment" -}}
{{- $values := .root.Values -}}
{{- $own := dict
  "LANDLORD_DATA_DIR" "/data"
  "LANDLORD_SECRET_KEYS_FILE" "/run/secrets/landlord/secret-keys"
  "DATABASE_URL_FILE" (printf "/run/secrets/landlord/%s-database-url" .database)
  "LANDLORD_PUBLIC_URL" $values.publicUrl
  "BASE_DOMAIN" $values.baseDomain
  "LOG_LEVEL" $values.logLevel
  "SHUTDOWN_DRAIN_SECONDS" "10" -}}
{{- if $values.queue.redis }}{{- $_ := set $own "QUEUE_URL_FILE" "/run/secrets/landlord/queue-url" }}{{- end }}
{{- if $values.mail.smtp }}{{- $_ := set $own "SMTP_URL_FILE" "/run/secrets/landlord/smtp-url" }}{{- end }}
{{- if $values.metrics.token }}{{- $_ := set $own "METRICS_TOKEN_FILE" "/run/secrets/landlord/metrics-token" }}{{- end }}
{{- if $values.objectStore.url }}{{- $_ := set $own "OBJECT_STORE_URL" $values.objectStore.url }}{{- end }}
{{- range $name, $value := mergeOverwrite $own $values.settings (.settings | default dict) }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- with $values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The files of the Secret that a part may read. Call: (dict "root" $ "database" "main-api") */}}
{{- define "landlord.secrets" -}}
{{- $values := .root.Values -}}
name: secrets
secret:
  secretName: {{ $values.secretName }}
  defaultMode: 0440
  items:
    {{- $keys := list "secret-keys" (printf "%s-database-url" .database) -}}
    {{- if $values.queue.redis }}{{- $keys = append $keys "queue-url" }}{{- end }}
    {{- if $values.mail.smtp }}{{- $keys = append $keys "smtp-url" }}{{- end }}
    {{- if $values.metrics.token }}{{- $keys = append $keys "metrics-token" }}{{- end }}
    {{- range $keys }}
    - { key: {{ . }}, path: {{ . }} }
    {{- end }}
{{- end }}

{{- define "landlord.secretMount" -}}
{ name: secrets, mountPath: /run/secrets/landlord, readOnly: true }
{{- end }}

{{/* Call: (dict "port" "api" "scheme" "HTTP") */}}
{{- define "landlord.probes" -}}
startupProbe:
  httpGet: { path: /health/live, port: {{ .port }}, scheme: {{ .scheme }} }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /health/live, port: {{ .port }}, scheme: {{ .scheme }} }
  periodSeconds: 10
  timeoutSeconds: 5
readinessProbe:
  httpGet: { path: /health/ready, port: {{ .port }}, scheme: {{ .scheme }} }
  periodSeconds: 3
  timeoutSeconds: 5
{{- end }}

{{/* The settings that all parts of the Supervisor of a region share. */}}
{{- define "landlord.supervisorSettings" -}}
SUPERVISOR_CELL: {{ required "Each region needs a name." .name | quote }}
SUPERVISOR_REGIONS: {{ required (printf "The region %s needs regions: what it serves." .name) .regions | join "," | quote }}
SUPERVISOR_PUBLIC_URL: {{ required (printf "The region %s needs publicUrl." .name) .publicUrl | quote }}
SUPERVISOR_HOST: "0.0.0.0"
SUPERVISOR_PORT: "4000"
{{- end }}
