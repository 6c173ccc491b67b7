/** Wraps the script into a Kubernetes CronJob. Pure. */

/**
 * YAML, always in English, since it is a file for a server. Holds no credential.
 * @param script Ends with one line break. It is in the YAML byte for byte.
 */
export function cronJob(script: string): string {
  return [HEADER, STORAGE, scriptDocument(script), SCHEDULE].join('---\n');
}

const HEADER = `\
# Deletes old rows from time series indices of a metadata service (DataHub), every day, by the script in the ConfigMap.
# It runs unattended, so read it first, and change it as you like.
#
# 1. Change what differs in your cluster: the namespace (kubectl --namespace), image, schedule and storage. GMS_URL in
#    the script must be reachable from a pod. timeZone needs Kubernetes 1.27. Another job needs other names than those
#    below; for more indices of this server, add lines to INDICES instead.
# 2. Create the Secret from a file that holds the access token and nothing else:
#      kubectl create secret generic truncate-token --from-file=token=FILE
# 3. Apply this file, and test. While EXECUTE is 'no', a run only counts what it would delete:
#      kubectl create job --from=cronjob/truncate-indices truncate-test
#      kubectl logs --follow job/truncate-test
# 4. Once the counts are right, set EXECUTE to 'yes'.
`;

const STORAGE = `\
# The state: a lock, the rows of the last run, and deletions whose end no run has seen. Without it, a run can't notice
# that rows are missing.
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: truncate-state
spec:
  accessModes: [ReadWriteOnce]
  resources:
    requests:
      storage: 16Mi
`;

function scriptDocument(script: string): string {
  return `\
apiVersion: v1
kind: ConfigMap
metadata:
  name: truncate-script
data:
  truncate.sh: |
${script.replaceAll(/^(?=.)/gm, '    ')}`;
}

const SCHEDULE = `\
apiVersion: batch/v1
kind: CronJob
metadata:
  name: truncate-indices
spec:
  # Not at 01:00 UTC: DataHub's own cleanup runs then, from 0.15.0 on.
  schedule: '30 3 * * *'
  timeZone: Etc/UTC
  # Two deletions at a time would slow the cluster down, and spoil each other's counts.
  concurrencyPolicy: Forbid
  # A start that was missed by more than an hour, as during an outage, waits for the next day.
  startingDeadlineSeconds: 3600
  successfulJobsHistoryLimit: 7
  failedJobsHistoryLimit: 7
  jobTemplate:
    spec:
      # A failed run is not repeated: its deletion may still run on the server. The exit code says what happened.
      backoffLimit: 0
      # Longer than the 20 hours that the script takes at most: ended from outside, it can't see the end of a deletion.
      activeDeadlineSeconds: 79200
      template:
        spec:
          # As with backoffLimit: the container is not started again.
          restartPolicy: Never
          # A run that is ended waits for its last answer, so that it can release the lock.
          terminationGracePeriodSeconds: 330
          automountServiceAccountToken: false
          securityContext:
            runAsNonRoot: true
            # On OpenShift, remove the next three lines: it assigns its own numbers, and rejects a pod with others.
            runAsUser: 100
            runAsGroup: 101
            fsGroup: 101
            seccompProfile:
              type: RuntimeDefault
          containers:
            - name: truncate
              image: curlimages/curl:8.11.1
              command: ['sh', '/job/truncate.sh']
              env:
                # Deletes only if this is 'yes', with the quotes.
                - name: EXECUTE
                  value: 'no'
                - name: STATE_DIR
                  value: /state
                - name: DATAHUB_GMS_TOKEN_FILE
                  value: /token/token
              securityContext:
                allowPrivilegeEscalation: false
                readOnlyRootFilesystem: true
                capabilities:
                  drop: [ALL]
              volumeMounts:
                - name: script
                  mountPath: /job
                - name: token
                  mountPath: /token
                  readOnly: true
                - name: state
                  mountPath: /state
          volumes:
            - name: script
              configMap:
                name: truncate-script
            - name: token
              secret:
                secretName: truncate-token
                defaultMode: 288 # 0440: only the owner and the group of the pod read it
            - name: state
              persistentVolumeClaim:
                claimName: truncate-state
`;
