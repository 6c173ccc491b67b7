import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { cronJob } from '../../../../src/integrations/scheduledJob/cronJob.ts';
import { shellScript } from '../../../../src/integrations/scheduledJob/shellScript.ts';
import { dig } from '../../../service/testClient.ts';
import { ANY_JOB, TEMPLATE } from './samples.ts';

const yaml = createRequire(import.meta.url)('js-yaml') as { loadAll(text: string): unknown[] };

const documents = yaml.loadAll(cronJob(TEMPLATE));
const [, , job] = documents;
const pod = dig(job, 'spec', 'jobTemplate', 'spec', 'template', 'spec');
const container = dig(pod, 'containers', 0);

suite('A CronJob', () => {
  test('comes with its storage and its script', () =>
    assert.deepEqual(
      documents.map((one) => [dig(one, 'apiVersion'), dig(one, 'kind')]),
      [
        ['v1', 'PersistentVolumeClaim'],
        ['v1', 'ConfigMap'],
        ['batch/v1', 'CronJob'],
      ],
    ));

  test('holds the script byte for byte, for any job', () =>
    fc.assert(
      fc.property(ANY_JOB, (one) => {
        const script = shellScript(TEMPLATE, one);
        assert.equal(dig(yaml.loadAll(cronJob(script))[1], 'data', 'truncate.sh'), script);
      }),
      { numRuns: 40 },
    ));

  test('runs once a day, but not beside the cleanup of the server at 01:00 UTC, and never twice at a time', () => {
    const { schedule, timeZone, concurrencyPolicy, startingDeadlineSeconds } = dig(job, 'spec') as Record<
      string,
      unknown
    >;
    assert.deepEqual(
      [schedule, timeZone, concurrencyPolicy, startingDeadlineSeconds],
      ['30 3 * * *', 'Etc/UTC', 'Forbid', 3_600],
    );
  });

  test('never repeats a run, and gives it more time than the script takes', () => {
    const { backoffLimit, activeDeadlineSeconds } = dig(job, 'spec', 'jobTemplate', 'spec') as Record<string, unknown>;
    assert.deepEqual([backoffLimit, dig(pod, 'restartPolicy')], [0, 'Never']);
    const [, hours] = /^MAX_HOURS=(\d+)/m.exec(TEMPLATE) ?? [];
    assert.ok(Number(activeDeadlineSeconds) > Number(hours) * 3_600 && Number(activeDeadlineSeconds) < 86_400);
  });

  test('gives a run that is ended the time of its longest request, to release the lock', () => {
    const [, seconds] = /--max-time (\d+) /.exec(TEMPLATE) ?? [];
    assert.ok(Number(dig(pod, 'terminationGracePeriodSeconds')) > Number(seconds));
  });

  test('deletes nothing until EXECUTE is changed, which is a text for YAML', () => {
    const environment = Object.fromEntries(
      (dig(container, 'env') as { readonly name: string; readonly value: unknown }[]).map(({ name, value }) => [
        name,
        value,
      ]),
    );
    assert.deepEqual(environment, {
      EXECUTE: 'no',
      STATE_DIR: '/state',
      DATAHUB_GMS_TOKEN_FILE: '/token/token',
    });
    for (const name of Object.keys(environment)) assert.ok(TEMPLATE.includes(name), name);
  });

  test('mounts what its environment and its command name', () => {
    const mounts = dig(container, 'volumeMounts') as { readonly name: string; readonly mountPath: string }[];
    assert.deepEqual(dig(container, 'command'), ['sh', '/job/truncate.sh']);
    assert.deepEqual(mounts.map(({ mountPath }) => mountPath).toSorted(), ['/job', '/state', '/token']);
    const volumes = dig(pod, 'volumes') as { readonly name: string }[];
    assert.deepEqual(mounts.map(({ name }) => name).toSorted(), volumes.map(({ name }) => name).toSorted());
    const [storage, script] = documents;
    assert.deepEqual(
      [dig(volumes, 0, 'configMap', 'name'), dig(volumes, 2, 'persistentVolumeClaim', 'claimName')],
      [dig(script, 'metadata', 'name'), dig(storage, 'metadata', 'name')],
    );
    assert.equal(dig(volumes, 1, 'secret', 'defaultMode'), 0o440);
  });

  test('has no privileges, and no way to the API of the cluster', () => {
    assert.equal(dig(pod, 'automountServiceAccountToken'), false);
    assert.deepEqual(dig(pod, 'securityContext'), {
      runAsNonRoot: true,
      runAsUser: 100,
      runAsGroup: 101,
      fsGroup: 101,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    assert.deepEqual(dig(container, 'securityContext'), {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    assert.match(String(dig(container, 'image')), /^curlimages\/curl:\d+\.\d+\.\d+$/);
  });

  test('says how the Secret is made and how a run is tested, by the names it uses', () => {
    const text = cronJob(TEMPLATE);
    const secret = String(dig(pod, 'volumes', 1, 'secret', 'secretName'));
    assert.ok(text.includes(`kubectl create secret generic ${secret} --from-file=token=FILE\n`));
    assert.ok(text.includes(`kubectl create job --from=cronjob/${String(dig(job, 'metadata', 'name'))} `));
    assert.ok(text.split('\n').every((line) => line === line.trimEnd()));
  });
});
