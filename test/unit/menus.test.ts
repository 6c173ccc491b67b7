// The entries of the command palette and of each row's menu, as VS Code computes them from package.json.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { COMMANDS, CONTEXT_KEYS, VIEWS } from '../../src/manifest.ts';
import { root } from '../../tools/paths.ts';

interface MenuEntry {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}
type Context = Readonly<Record<string, unknown>>;

const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly icon?: string }[];
    readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
  };
};

/** Evaluates the conditions that package.json has. */
function holds(when: string | undefined, context: Context): boolean {
  return (when ?? 'true').split(' && ').every((condition) => {
    const [, negation, expression = ''] = /^(!?)\(?(.*?)\)?$/.exec(condition) ?? [];
    return isTrue(expression, context) !== (negation === '!');
  });
}

function isTrue(expression: string, context: Context): boolean {
  const [, key = '', operator, operand = ''] = /^([\w.]+)(?: (==|!=|>|=~) (.+))?$/.exec(expression) ?? [];
  const value = context[key];
  switch (operator) {
    case undefined:
      return key === 'true' || Boolean(value);
    case '==':
      return String(value) === operand.replaceAll("'", '');
    case '!=':
      return String(value) !== operand;
    case '>':
      return Number(value) > Number(operand);
    default:
      return new RegExp(operand.slice(1, -1)).test(String(value));
  }
}

/** @param connections Undefined while the extension isn't active. */
function palette(
  connections?: {
    readonly all: number;
    readonly writable: number;
    readonly creatable?: number;
    readonly rotatable?: number;
  },
  { isViewVisible }: { readonly isViewVisible: boolean } = { isViewVisible: false },
): string[] {
  const context = {
    [`view.${VIEWS.explorer}.visible`]: isViewVisible,
    ...(connections && {
      [CONTEXT_KEYS.connectionCount]: connections.all,
      [CONTEXT_KEYS.writableConnectionCount]: connections.writable,
      [CONTEXT_KEYS.creatableConnectionCount]: connections.creatable,
      [CONTEXT_KEYS.rotatableConnectionCount]: connections.rotatable,
    }),
  };
  const conditions = new Map(contributes.menus['commandPalette']?.map(({ command, when }) => [command, when]));
  return contributes.commands.flatMap(({ command }) => (holds(conditions.get(command), context) ? [command] : []));
}

suite('The command palette', () => {
  const one = palette({ all: 1, writable: 1 });

  test('offers what can be done without a connection', () =>
    assert.deepEqual(palette({ all: 0, writable: 0 }), [
      COMMANDS.connectionAdd,
      COMMANDS.tokenInspect,
      COMMANDS.logShow,
    ]));

  test('offers the main commands with a connection; menus have the others', () =>
    assert.deepEqual(one, [
      COMMANDS.connectionAdd,
      COMMANDS.connectionSignIn,
      COMMANDS.connectionSignOut,
      COMMANDS.connectionRotateToken,
      COMMANDS.tokenCreate,
      COMMANDS.tokenCopy,
      COMMANDS.tokenRevoke,
      COMMANDS.tokenInspect,
      COMMANDS.indexOverview,
      COMMANDS.indexTruncate,
      COMMANDS.logShow,
    ]));

  test('offers no change of tokens if all connections are read-only', () => {
    const readOnly = palette({ all: 1, writable: 0 });
    assert.deepEqual(
      one.filter((command) => !readOnly.includes(command)),
      [COMMANDS.connectionRotateToken, COMMANDS.tokenCreate, COMMANDS.tokenRevoke],
    );
  });

  test('offers no creation if the user is known to lack the privilege, nor a rotation of the own token', () => {
    for (const [rights, missing] of [
      [{ creatable: 0, rotatable: 0 }, [COMMANDS.connectionRotateToken, COMMANDS.tokenCreate]],
      // Those who may create tokens for service accounts alone.
      [{ creatable: 1, rotatable: 0 }, [COMMANDS.connectionRotateToken]],
    ] as const) {
      const offered = palette({ all: 1, writable: 1, ...rights });
      assert.deepEqual(
        one.filter((command) => !offered.includes(command)),
        missing,
      );
    }
  });

  test('offers all of them before the extension knows the connections', () => assert.deepEqual(palette(), one));

  // As the palette opens, VS Code forgets which view had the focus.
  test('offers to refresh the view where it is shown', () => {
    const withView = palette({ all: 1, writable: 1 }, { isViewVisible: true });
    assert.deepEqual(
      withView.filter((command) => !one.includes(command)),
      [COMMANDS.explorerRefresh],
    );
  });
});

/** Main actions of each row, which its menu and its icons begin with. */
const ROWS = [
  { kind: 'connection', marks: ['signedIn', 'signedOut', 'rotatable'], first: COMMANDS.connectionTest },
  { kind: 'tokens', marks: ['filtered', 'readOnly', 'cannotCreateOwn', 'cannotCreate'], first: COMMANDS.tokenCreate },
  { kind: 'token', marks: ['held', 'readOnly', 'cannotCreate'], first: COMMANDS.tokenCopyId },
  { kind: 'indices', marks: ['added'], first: COMMANDS.indexOverview },
  { kind: 'index', marks: ['truncatable', 'added'], first: COMMANDS.indexTruncate },
  { kind: 'task', marks: ['idKnown'], first: COMMANDS.taskShow },
  { kind: 'failure', marks: [], first: COMMANDS.failureCopyDetails },
] as const;

/** Every value of `contextValue` that the row can have. */
function viewItems({ kind, marks }: (typeof ROWS)[number]): string[] {
  return marks.reduce<string[]>((values, mark) => values.flatMap((value) => [value, `${value};${mark}`]), [kind]);
}

interface RowMenu {
  readonly icons: readonly string[];
  /** The menu, one group after the other. */
  readonly groups: readonly (readonly string[])[];
}

function rowMenu(viewItem: string, listMultiSelection = false): RowMenu {
  const entries = (contributes.menus['view/item/context'] ?? [])
    .filter(({ when }) => holds(when, { view: VIEWS.explorer, viewItem, listMultiSelection }))
    .map(({ command, group = '' }) => ({ command, group, name: group.replace(/@.*$/, '') }))
    .toSorted((a, b) => a.group.localeCompare(b.group));
  const groups = Map.groupBy(entries, ({ name }) => name);
  const icons = (groups.get('inline') ?? []).map(({ command }) => command);
  groups.delete('inline');
  return { icons, groups: [...groups.values()].map((group) => group.map(({ command }) => command)) };
}

suite('The menu of a row', () => {
  for (const row of ROWS) {
    for (const viewItem of viewItems(row)) {
      test(`has at most four entries above the first separator, and at most two icons: ${viewItem}`, () => {
        const { icons, groups } = rowMenu(viewItem);
        const [above = []] = groups;
        assert.ok(above.length >= 1 && above.length <= 4, above.join());
        assert.ok(icons.length <= 2, icons.join());
        assert.equal(new Set(groups.flat()).size, groups.flat().length, groups.flat().join());
      });
    }
  }

  test('begins with the main action', () => {
    const viewItem: Readonly<Record<string, string>> = { index: 'index;truncatable' };
    assert.deepEqual(
      ROWS.map(({ kind }) => rowMenu(viewItem[kind] ?? kind).groups[0]?.[0]),
      ROWS.map(({ first }) => first),
    );
  });

  test('has every icon as an entry too, for the keyboard', () => {
    for (const viewItem of ROWS.flatMap(viewItems)) {
      const { icons, groups } = rowMenu(viewItem);
      assert.deepEqual(
        icons.filter((command) => !groups.flat().includes(command)),
        [],
        viewItem,
      );
    }
  });

  // VS Code still says so after rows that were selected are gone, and of a row that isn't among the selected ones.
  test('is the same while several rows are selected', () => {
    for (const viewItem of ROWS.flatMap(viewItems)) {
      assert.deepEqual(rowMenu(viewItem, true), rowMenu(viewItem), viewItem);
    }
  });

  for (const [command, viewItem, isOffered] of [
    [COMMANDS.tokenCreate, 'tokens', true],
    [COMMANDS.tokenCreate, 'tokens;readOnly', false],
    [COMMANDS.tokenCreate, 'tokens;filtered;cannotCreate', false],
    [COMMANDS.tokenOpenTerminal, 'tokens', true],
    [COMMANDS.tokenOpenTerminal, 'tokens;cannotCreateOwn', false],
    [COMMANDS.tokenCreate, 'tokens;cannotCreateOwn', true],
    [COMMANDS.tokenRotate, 'token', true],
    [COMMANDS.tokenRotate, 'token;held;cannotCreate', false],
    [COMMANDS.tokenRotate, 'token;readOnly', false],
    [COMMANDS.connectionRotateToken, 'connection;signedIn;rotatable', true],
    [COMMANDS.connectionRotateToken, 'connection;signedIn', false],
    // Only once the response of a truncation is there, or lost.
    [COMMANDS.taskForget, 'task', true],
    [COMMANDS.taskForget, 'task;sending', false],
    [COMMANDS.taskForget, 'unreadableTask', true],
  ] as const) {
    test(`${isOffered ? 'offers' : "doesn't offer"} ${command}: ${viewItem}`, () => {
      const { icons, groups } = rowMenu(viewItem);
      assert.equal([...icons, ...groups.flat()].includes(command), isOffered);
    });
  }

  test('has an icon that revokes a token, unless the connection is read-only', () => {
    assert.deepEqual(rowMenu('token;held').icons, [COMMANDS.tokenCopy, COMMANDS.tokenRevoke]);
    assert.deepEqual(rowMenu('token').icons, [COMMANDS.tokenRevoke]);
    assert.deepEqual(rowMenu('token;held;readOnly').icons, [COMMANDS.tokenCopy]);
  });

  test('refreshes nothing: the icon of the view refreshes everything', () => {
    for (const viewItem of [...ROWS.flatMap(viewItems), 'truncations']) {
      const { icons, groups } = rowMenu(viewItem);
      assert.ok(![...icons, ...groups.flat()].includes(COMMANDS.explorerRefresh), viewItem);
    }
    const titleIcons = contributes.menus['view/title']?.filter(({ group }) => group?.startsWith('navigation'));
    assert.deepEqual(
      titleIcons?.map(({ command }) => command),
      [COMMANDS.connectionAdd, COMMANDS.explorerRefresh],
    );
  });

  test('has icons for what deletes that no other command has', () => {
    const icons = contributes.commands.map(({ icon }) => icon);
    for (const command of [COMMANDS.tokenRevoke, COMMANDS.indexTruncate]) {
      const own = contributes.commands.find((one) => one.command === command)?.icon;
      assert.ok(own !== undefined && icons.filter((icon) => icon === own).length === 1, command);
    }
  });

  test('stands below the other groups where it destroys', () => {
    for (const viewItem of ROWS.flatMap(viewItems)) {
      const { groups } = rowMenu(viewItem);
      const at = groups.findIndex((group) => group.includes(COMMANDS.tokenRevoke));
      assert.ok(at === -1 || (at === groups.length - 1 && groups[at]?.length === 1), viewItem);
    }
  });
});
