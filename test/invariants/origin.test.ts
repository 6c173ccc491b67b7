// 5. Origin: a token goes to the server that it was stored for, in one header, and nothing follows a redirect.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { RunningService } from '../service/main.ts';
import { Driver } from './driver.ts';
import { MINUTE } from './durations.ts';
import type { Window } from './window.ts';

/** A token, and where it may go. */
interface KnownToken {
  readonly token: string;
  readonly home: RunningService;
  /** In bodies too, since the user agreed to ask that server about it. */
  readonly isAskedAbout?: boolean;
}

/** Checks every request as it left, and as it arrived at each server. */
function assertAtHome(driver: Driver, servers: readonly RunningService[], tokens: readonly KnownToken[]): void {
  for (const { token, home, isAskedAbout = false } of tokens) {
    for (const { url, headers, body } of driver.machine.requests) {
      const { authorization = '', ...others } = headers;
      const isAtHome = new URL(url).origin === home.url;
      assert.ok(isAtHome || !authorization.includes(secretPartOf(token)), `the header of ${url} has a token`);
      const rest = `${url} ${JSON.stringify(others)} ${isAtHome && isAskedAbout ? '' : body}`;
      assert.ok(!rest.includes(secretPartOf(token)), `outside of its header, ${url} has a token`);
    }
    for (const server of servers.filter((one) => one !== home)) {
      assert.ok(!JSON.stringify(server.requests).includes(secretPartOf(token)), 'another server got a token');
    }
  }
}

/** All tokens of a server begin alike. */
function secretPartOf(token: string): string {
  return token.slice(token.lastIndexOf('.') + 1);
}

interface TwoServers {
  readonly driver: Driver;
  readonly window: Window;
  readonly here: RunningService;
  readonly elsewhere: RunningService;
  readonly token: string;
  readonly tokenElsewhere: string;
}

/** A window that is signed in here, and another server. */
async function twoServers(context: Parameters<typeof Driver.start>[0]): Promise<TwoServers> {
  const driver = await Driver.start(context);
  const elsewhere = await driver.startAnother();
  const [token, tokenElsewhere] = [driver.issueToken(), driver.issueToken('admin', elsewhere)];
  const window = await driver.open();
  await window.connect({ token });
  await window.wholeTree();
  return { driver, window, here: driver.server, elsewhere, token, tokenElsewhere };
}

function assertEachAtHome({ driver, here, elsewhere, token, tokenElsewhere }: TwoServers): void {
  assertAtHome(
    driver,
    [here, elsewhere],
    [
      { token, home: here },
      { token: tokenElsewhere, home: elsewhere },
    ],
  );
}

suite('A token goes nowhere else', () => {
  test('with a connection to each of two servers', async (context) => {
    const servers = await twoServers(context);
    const { window, elsewhere, tokenElsewhere } = servers;
    await window.connect({ name: 'Elsewhere', url: elsewhere.url, token: tokenElsewhere });
    await window.wholeTree();
    await window.ask('create');
    await window.yes();
    assertEachAtHome(servers);
    assert.ok(elsewhere.requests.some(({ headers }) => headers.authorization?.includes(tokenElsewhere)));
  });

  test('when the address of the connection changes', async (context) => {
    const servers = await twoServers(context);
    const { driver, window, elsewhere, tokenElsewhere } = servers;
    await window.changeAddress(elsewhere.url, tokenElsewhere);
    await window.wholeTree();
    await driver.passTime(MINUTE);
    assertEachAtHome(servers);
    assert.ok(elsewhere.requests.some(({ headers }) => headers.authorization?.includes(tokenElsewhere)));
  });

  test('when the address changes and no token is typed', async (context) => {
    const servers = await twoServers(context);
    const { driver, window, elsewhere } = servers;
    await window.changeAddress(elsewhere.url, '');
    await window.wholeTree();
    await driver.passTime(MINUTE);
    assertEachAtHome(servers);
  });

  test('when the address changes in another window while lists are open in this one', async (context) => {
    const servers = await twoServers(context);
    const { driver, window, elsewhere, tokenElsewhere } = servers;
    await window.openOverview();
    const other = await driver.open();
    await other.changeAddress(elsewhere.url, tokenElsewhere);
    await window.refresh('Staging');
    await window.wholeTree();
    await driver.passTime(MINUTE);
    assertEachAtHome(servers);
  });

  test('when another program changes the address in all that is stored but the secrets', async (context) => {
    const servers = await twoServers(context);
    const { driver, window, here, elsewhere } = servers;
    await window.close();
    driver.replaceInStorage(here.url, elsewhere.url);
    const next = await driver.open();
    const rows = await next.wholeTree();
    assert.ok(rows.length > 0);
    assert.ok(elsewhere.requests.length > 0, 'the address was not changed');
    assertEachAtHome(servers);
  });

  test('when the address is that of a page, or of a path of the service', async (context) => {
    const servers = await twoServers(context);
    const { driver, window, elsewhere, tokenElsewhere } = servers;
    for (const [name, path] of Object.entries({ Page: '/dataset/urn:li:dataset:1', Path: '/api/gms/operations' })) {
      await window.connect({ name, url: `${elsewhere.url}${path}`, token: tokenElsewhere });
    }
    await window.wholeTree();
    await driver.passTime(MINUTE);
    assertEachAtHome(servers);
  });

  test('after another one was signed in with', async (context) => {
    const servers = await twoServers(context);
    const { driver, window, here, token } = servers;
    await window.signInAs('operator');
    const before = driver.machine.requests.length;
    await window.refresh('Staging');
    await window.wholeTree();
    assertEachAtHome(servers);
    const later = driver.machine.requests.slice(before).filter(({ headers }) => 'authorization' in headers);
    assert.ok(later.length > 0 && here.requests.length > 0);
    assert.ok(!JSON.stringify(later.map(({ headers }) => headers)).includes(secretPartOf(token)));
  });
});

suite('Nothing follows a redirect', () => {
  for (const status of [301, 302, 307, 308]) {
    test(`with ${status} from a list`, async (context) => {
      const servers = await twoServers(context);
      const { driver, window, here, elsewhere } = servers;
      here.faults.add({ fault: { kind: 'redirect', location: `${elsewhere.url}/`, status }, times: 'always' });
      await window.refresh('Staging');
      await window.wholeTree();
      await driver.passTime(MINUTE);
      assert.deepEqual(elsewhere.requests, []);
      assertEachAtHome(servers);
    });

    for (const change of ['truncate', 'create', 'revoke'] as const) {
      test(`with ${status} from the request to ${change}`, async (context) => {
        const servers = await twoServers(context);
        const { driver, window, here, elsewhere } = servers;
        await window.ask(change);
        here.faults.add({ fault: { kind: 'redirect', location: `${elsewhere.url}/`, status }, times: 'always' });
        await window.yes();
        await driver.passTime(MINUTE);
        assert.deepEqual(elsewhere.requests, []);
        assertEachAtHome(servers);
      });
    }
  }

  test('that comes while a connection is added', async (context) => {
    const servers = await twoServers(context);
    const { driver, window, here, elsewhere } = servers;
    const another = await driver.startAnother();
    const token = driver.issueToken('admin', another);
    another.faults.add({ fault: { kind: 'redirect', location: elsewhere.url }, match: 'graphql', times: 'always' });
    await window.connect({ name: 'Another', url: another.url, token });
    await window.wholeTree();
    assert.deepEqual(elsewhere.requests, []);
    assertAtHome(driver, [here, elsewhere, another], [{ token, home: another }]);
    assert.ok(another.requests.some(({ headers }) => headers.authorization?.includes(token)));
  });
});

suite('A token to look into', () => {
  test('goes nowhere before the user agrees', async (context) => {
    const { driver, window, here, elsewhere, tokenElsewhere } = await twoServers(context);
    await window.inspect(tokenElsewhere);
    assertAtHome(driver, [here], [{ token: tokenElsewhere, home: elsewhere }]);
    await window.escape();
    assertAtHome(driver, [here], [{ token: tokenElsewhere, home: elsewhere }]);
  });

  test('goes to the server alone that was asked about it', async (context) => {
    const { driver, window, here, elsewhere, token, tokenElsewhere } = await twoServers(context);
    await window.connect({ name: 'Elsewhere', url: elsewhere.url, token: tokenElsewhere });
    const pasted = driver.issueToken('operator');
    await window.inspect(pasted, 'Elsewhere');
    await window.yes();
    assert.ok(driver.machine.requests.some(({ body }) => body.includes(pasted)));
    assertAtHome(
      driver,
      [here, elsewhere],
      [
        { token: pasted, home: elsewhere, isAskedAbout: true },
        { token: tokenElsewhere, home: elsewhere },
        { token, home: here },
      ],
    );
  });

  test('does not go to the address that the connection leads to since the question', async (context) => {
    const { driver, window, here, elsewhere, tokenElsewhere } = await twoServers(context);
    const pasted = driver.issueToken('operator');
    await window.inspect(pasted);
    const other = await driver.open();
    await other.changeAddress(elsewhere.url, tokenElsewhere);
    await driver.passTime(MINUTE);
    await window.yes();
    await driver.passTime(MINUTE);
    assertAtHome(driver, [here, elsewhere], [{ token: pasted, home: here, isAskedAbout: true }]);
  });
});
