/**
 * Prints test results for StrykerJS. The reporter of Node.js quotes titles, some of which have characters with a
 * meaning in TAP.
 */
import type { TestEvent } from 'node:test/reporters';

// oxlint-disable-next-line import/no-default-export -- Node.js looks for it
export default async function* tapReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  yield 'TAP version 13\n';
  let count = 0;
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    count += 1;
    const title = data.name.replaceAll(/[^\w ]/g, '_');
    yield `${type === 'test:pass' ? 'ok' : 'not ok'} ${count} - ${title}\n`;
  }
  yield `1..${count}\n`;
}
