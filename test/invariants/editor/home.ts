/** The user's folder of `node:os`. */
import { hostOf } from './host.ts';

const host = hostOf(import.meta.url);

export const homedir = (): string => host.home;
