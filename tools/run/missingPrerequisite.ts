/** Something that tests need is missing on this machine. The message is a sentence that names it. */
export class MissingPrerequisite extends Error {}
