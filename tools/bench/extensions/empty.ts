/** The smallest extension that VS Code can activate. */
export function activate(): void {}
