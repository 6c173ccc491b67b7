// 5. Origin: a token goes to the server that it was stored for, in one header, and nothing follows a redirect.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import type { RunningService } from '../service/main.ts';
import { COMMANDS } from '../../src/manifest.ts';
import { ASKED } from './controls.ts';
import { Driver, type Connected, type TestScope } from './driver.ts';
import { MINUTE } from './durations.ts';

/** A token, and where it may go. */
interface KnownToken {
  readonly token: string;
  readonly home: RunningService;
  /** In bodies too, since the user agreed to ask that server about it. */
  readonly isAskedAbout?: boolean;
}

/** A window that is signed in here, and another server. */
interface TwoServers extends Connected {
  readonly here: RunningService;
  readonly elsewhere: RunningService;
  readonly token: string;
  readonly tokenElsewhere: string;
}

async function twoServers(context: TestScope): Promise<TwoServers> {
  const driver = await Driver.start(context);
  const elsewhere = await driver.startAnother();
  const [token, tokenElsewhere] = [driver.issueToken(), driver.issueToken('admin', elsewhere)];
  const window = await driver.open();
  await window.connect({ token });
  await window.wholeTree();
  return { driver, window, here: driver.server, elsewhere, token, tokenElsewhere };
}

/** Checks every request as it left, and as it arrived at each server. @param others Tokens besides those of both. */
function assertAtHome(servers: TwoServers, ...others: readonly KnownToken[]): void {
  const { driver, here, elsewhere, token, tokenElsewhere } = servers;
  const tokens = [{ token, home: here }, { token: tokenElsewhere, home: elsewhere }, ...others];
  for (const known of tokens) {
    assertSentHome(driver, known);
    for (const server of [here, elsewhere].filter((one) => one !== known.home)) {
      assert.ok(!hasToken(JSON.stringify(server.requests), known.token), 'another server got a token');
    }
  }
}

function assertSentHome(driver: Driver, { token, home, isAskedAbout = false }: KnownToken): void {
  for (const { url, headers, body } of driver.machine.requests) {
    const { authorization = '', ...others } = headers;
    const isAtHome = new URL(url).origin === home.url;
    assert.ok(isAtHome || !hasToken(authorization, token), `the header of ${url} has a token`);
    const rest = `${url} ${JSON.stringify(others)} ${isAtHome && isAskedAbout ? '' : body}`;
    assert.ok(!hasToken(rest, token), `outside of its header, ${url} has a token`);
  }
}

/** All tokens of a server begin alike, so the end counts. */
function hasToken(text: string, token: string): boolean {
  return text.includes(token.slice(token.lastIndexOf('.') + 1));
}

function assertSignedInAt(server: RunningService, token: string): void {
  assert.ok(server.requests.some(({ headers }) => headers.authorization?.includes(token)));
}

/** Another program replaces a text in the files and in VS Code's storage. */
function replaceInStorage({ machine }: Driver, text: string, by: string): void {
  for (const state of [machine.globalState, machine.workspaceState]) {
    state.value = JSON.parse(JSON.stringify(state.value).replaceAll(text, by)) as typeof state.value;
  }
  for (const [path, content] of machine.files()) {
    writeFileSync(path, content.replaceAll(text, by));
  }
}

/** Each ends with what must have happened, so that there was something to see. */
const WORK: Readonly<Record<string, (servers: TwoServers) => Promise<void>>> = {
  'with a connection to each of two servers': async ({ window, elsewhere, tokenElsewhere }) => {
    await window.connect({ name: 'Elsewhere', url: elsewhere.url, token: tokenElsewhere });
    await window.wholeTree();
    await window.do('create');
    assertSignedInAt(elsewhere, tokenElsewhere);
  },
  'when the address of the connection changes': async ({ window, elsewhere, tokenElsewhere }) => {
    await window.changeAddress(elsewhere.url, tokenElsewhere);
    await window.wholeTree();
    assertSignedInAt(elsewhere, tokenElsewhere);
  },
  'when the address changes and no token is typed': async ({ window, elsewhere }) => {
    await window.changeAddress(elsewhere.url, '');
    await window.wholeTree();
    assert.ok(elsewhere.requests.length > 0);
  },
  'when the address changes in another window while lists are open in this one': async (servers) => {
    const { driver, window, elsewhere, tokenElsewhere } = servers;
    await window.openOverview();
    await (await driver.open()).changeAddress(elsewhere.url, tokenElsewhere);
    await window.refresh();
    assertSignedInAt(elsewhere, tokenElsewhere);
  },
  'when another program changes the address in all that is stored but the secrets': async (servers) => {
    const { driver, window, here, elsewhere } = servers;
    await window.close();
    replaceInStorage(driver, here.url, elsewhere.url);
    await (await driver.open()).wholeTree();
    assert.ok(elsewhere.requests.length > 0, 'the address was not changed');
  },
  'when the address is that of a page, or of a path of the service': async ({ window, elsewhere, tokenElsewhere }) => {
    for (const [name, path] of Object.entries({ Page: '/dataset/urn:li:dataset:1', Path: '/api/gms/operations' })) {
      await window.connect({ name, url: `${elsewhere.url}${path}`, token: tokenElsewhere });
    }
    await window.wholeTree();
    assertSignedInAt(elsewhere, tokenElsewhere);
  },
  'after another one was signed in with': async ({ driver, window, token }) => {
    await window.signIn(driver.issueToken('operator'));
    const before = driver.machine.requests.length;
    await window.refresh();
    const headers = driver.machine.requests.slice(before).flatMap((request) => request.headers['authorization'] ?? []);
    assert.ok(headers.length > 0);
    assert.ok(!headers.some((header) => hasToken(header, token)));
  },
};

suite('A token goes nowhere else', () => {
  for (const [when, work] of Object.entries(WORK)) {
    test(when, async (context) => {
      const servers = await twoServers(context);
      await work(servers);
      await servers.driver.passTime(MINUTE);
      assertAtHome(servers);
    });
  }
});

suite('Nothing follows a redirect', () => {
  for (const status of [301, 302, 307, 308]) {
    for (const from of ['truncate', 'create', 'revoke', undefined] as const) {
      test(`with ${status} from ${from === undefined ? 'a list' : `the request to ${from}`}`, async (context) => {
        const servers = await twoServers(context);
        const { driver, window, here, elsewhere } = servers;
        if (from !== undefined) await window.ask(from);
        here.faults.add({ fault: { kind: 'redirect', location: `${elsewhere.url}/`, status }, times: 'always' });
        await (from === undefined ? window.refresh() : window.yes());
        await driver.passTime(MINUTE);
        assert.deepEqual(elsewhere.requests, []);
        assertAtHome(servers);
      });
    }
  }

  test('that comes while a connection is added', async (context) => {
    const servers = await twoServers(context);
    const { driver, window, elsewhere } = servers;
    const another = await driver.startAnother();
    const token = driver.issueToken('admin', another);
    another.faults.add({ fault: { kind: 'redirect', location: elsewhere.url }, match: 'graphql', times: 'always' });
    await window.connect({ name: 'Another', url: another.url, token });
    await window.wholeTree();
    assert.deepEqual(elsewhere.requests, []);
    assertAtHome(servers, { token, home: another });
    assertSignedInAt(another, token);
  });
});

suite('A token to look into', () => {
  test('goes nowhere before the user agrees', async (context) => {
    const servers = await twoServers(context);
    await servers.window.inspect(servers.tokenElsewhere);
    assertAtHome(servers);
    await servers.window.escape();
    assertAtHome(servers);
  });

  test('goes to the server alone that was asked about it', async (context) => {
    const servers = await twoServers(context);
    const { driver, window, elsewhere, tokenElsewhere } = servers;
    await window.connect({ name: 'Elsewhere', url: elsewhere.url, token: tokenElsewhere });
    const pasted = driver.issueToken('operator');
    await window.inspect(pasted, 'Elsewhere');
    await window.yes();
    assert.ok(driver.machine.requests.some(({ body }) => body.includes(pasted)));
    assertAtHome(servers, { token: pasted, home: elsewhere, isAskedAbout: true });
  });

  test('does not go to the address that the connection leads to since the question', async (context) => {
    const servers = await twoServers(context);
    const { driver, window, here, elsewhere, tokenElsewhere } = servers;
    const pasted = driver.issueToken('operator');
    await window.inspect(pasted);
    await (await driver.open()).changeAddress(elsewhere.url, tokenElsewhere);
    await driver.passTime(MINUTE);
    await window.yes();
    await driver.passTime(MINUTE);
    assertAtHome(servers, { token: pasted, home: here, isAskedAbout: true });
  });
});

suite('A token for a connection that another window leads elsewhere meanwhile', () => {
  test('is not kept for it, if it was created before', async (context) => {
    const servers = await twoServers(context);
    const { driver, window, here, elsewhere, tokenElsewhere } = servers;
    await window.do('create');
    const created = driver.createdTokens().at(-1) ?? assert.fail();
    await (await driver.open()).changeAddress(elsewhere.url, tokenElsewhere);
    await window.reply(ASKED.createdToken, /^Use for This Connection$/);
    await window.reply(ASKED.createdToken, /^Close$/);
    await window.refresh();
    await driver.passTime(MINUTE);
    assertSignedInAt(elsewhere, tokenElsewhere);
    assertAtHome(servers, { token: created, home: here });
  });

  test('is not saved for it, if it was typed before', async (context) => {
    const servers = await twoServers(context);
    const { driver, window, here, elsewhere, tokenElsewhere } = servers;
    const typed = driver.issueToken('operator');
    await window.typeToken(typed);
    await window.yes();
    await (await driver.open()).changeAddress(elsewhere.url, tokenElsewhere);
    await window.yes();
    await window.escape();
    await window.refresh();
    await driver.passTime(MINUTE);
    assertSignedInAt(elsewhere, tokenElsewhere);
    assertAtHome(servers, { token: typed, home: here });
  });
});

suite('In the window of a remote machine', () => {
  test('a terminal there gets no token for an address that means that machine', async (context) => {
    const driver = await Driver.start(context);
    const window = await driver.open({ extensionKind: 1, remoteName: 'ssh-remote' });
    await window.connect();
    const before = driver.machine.requests.length;
    window.run(COMMANDS.tokenOpenTerminal, await window.row('Staging'));
    await driver.rests();
    assert.match(
      window.notices.join(),
      /This window's terminals run on SSH, where 127\.0\.0\.1:\d+ may be a different server/,
    );
    assert.equal(driver.machine.requests.length, before);
  });

  test('on which the extension runs, no token goes to its loopback address without consent', async (context) => {
    const driver = await Driver.start(context);
    const window = await driver.open({ extensionKind: 2, remoteName: 'ssh-remote' });
    const haveToken = (): boolean => driver.machine.requests.some(({ headers }) => 'authorization' in headers);
    await window.describeConnection();
    await window.yes();
    assert.match(window.asking ?? '', ASKED.plainHttp);
    await window.escape();
    await window.escape();
    assert.equal(haveToken(), false);
    await window.connect();
    await window.wholeTree();
    assert.equal(haveToken(), true);
  });
});
