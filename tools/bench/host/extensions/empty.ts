/** The least that VS Code can activate. */
export function activate(): void {}
