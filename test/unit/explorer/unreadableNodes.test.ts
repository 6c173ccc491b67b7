import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import '../ui/window.ts';

const { UnreadableConnectionNode, UnreadableTruncationNode } = await import('../../../src/explorer/unreadableNodes.ts');

suite('A row of what can’t be read', () => {
  test('says of a connection why, and what to do', () => {
    const node = new UnreadableConnectionNode('a');
    assert.deepEqual([node.item().label, node.item().description], ["Connection can't be read", 'its file is damaged']);
    assert.match(node.tooltip().markdown.value, /Remove this connection and add it again/);
  });

  test('says of a truncation that it may be running, which forbids others', () => {
    const connection = new UnreadableConnectionNode('a');
    const node = new UnreadableTruncationNode(connection, 'b');
    const { id, label, description, contextValue } = node.item();
    assert.deepEqual(
      [label, description, contextValue],
      ["Truncation can't be read", 'may still be running', 'unreadableTask'],
    );
    assert.deepEqual([id, node.connectionId, node.recordId], ['a/truncation/b', 'a', 'b']);
    assert.match(node.tooltip().markdown.value, /nothing can be deleted with this connection/);
  });
});
