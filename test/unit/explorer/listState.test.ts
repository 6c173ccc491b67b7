import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { LoadableList, currentFailures } from '../../../src/connections/loadableList.ts';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';

let now: number;

beforeEach(() => {
  now = 1_000;
});

class Answers extends LoadableList<string> {
  #answer: 'loads' | 'fails' = 'loads';
  readonly #name: string;
  requests = 0;

  constructor(name: string) {
    super(
      () => undefined,
      () => now,
    );
    this.#name = name;
  }

  /** One second after the last event. */
  async next(answer: 'loads' | 'fails'): Promise<void> {
    now += 1_000;
    this.#answer = answer;
    await this.refresh();
  }

  /** Another filter was chosen. */
  forget(): void {
    this.clearListing();
  }

  protected override readListing(): Promise<string> {
    this.requests++;
    return this.#answer === 'loads'
      ? Promise.resolve(this.#name)
      : Promise.reject(new ServiceFailure('unreachable', `No ${this.#name}.`));
  }
}

suite('The failures of the lists of a connection', () => {
  let tokens: Answers;
  let indices: Answers;
  const told = (): readonly string[] => currentFailures([tokens, indices]).map(({ message }) => message);
  beforeEach(() => {
    tokens = new Answers('tokens');
    indices = new Answers('indices');
  });

  test('are reported while nothing was loaded since', async () => {
    await indices.next('loads');
    await tokens.next('fails');
    assert.deepEqual(told(), ['No tokens.']);
    await indices.next('fails');
    assert.deepEqual(told(), ['No tokens.', 'No indices.']);
  });

  test('are reported if they occur with a load', async () => {
    await tokens.next('fails');
    now -= 1_000;
    await indices.next('loads');
    assert.deepEqual(told(), ['No tokens.']);
  });

  test('end once any other list was loaded', async () => {
    await tokens.next('fails');
    await indices.next('loads');
    assert.deepEqual(told(), []);
    await indices.next('fails');
    assert.deepEqual(told(), ['No indices.']);
    await tokens.next('loads');
    assert.deepEqual(told(), []);
  });

  test('return when the same list fails again', async () => {
    await tokens.next('fails');
    await indices.next('loads');
    await tokens.next('fails');
    assert.deepEqual(told(), ['No tokens.']);
  });

  test('stay away when the list that was loaded is dropped', async () => {
    await tokens.next('fails');
    await indices.next('loads');
    indices.forget();
    assert.deepEqual(told(), []);
  });

  test('are known without a request', async () => {
    await tokens.next('fails');
    told();
    assert.deepEqual([tokens.requests, indices.requests], [1, 0]);
  });
});
