/** Tests need something that this machine lacks. The message is a sentence that says what. */
export class MissingPrerequisite extends Error {}
