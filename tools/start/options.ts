import { parseArgs } from 'node:util';
import { profiles, type ProfileName } from '../../test/service/profiles.ts';
import { USUAL_PORTS } from './ports.ts';

/** Options of `npm start`. */
export type StartOptions = {
  readonly profile: ProfileName;
  /** Port of VS Code. 0: any free port. */
  readonly port: number;
  /** Port of the local service itself. 0: any free port. By default the usual one if it is free. */
  readonly servicePort: number | undefined;
  /** Port of its front end, which passes requests on. 0: any free port. By default the usual one if it is free. */
  readonly frontPort: number | undefined;
  /** URL of a search cluster that keeps the time series. */
  readonly searchCluster: string | undefined;
  readonly help: boolean;
};

export const USAGE = `npm start -- [--port N] [--service-port N] [--front-port N] [--profile ${Object.keys(profiles).join('|')}]
             [--search-cluster URL]

--service-port and --front-port are ${USUAL_PORTS.service} and ${USUAL_PORTS.front} where these are free, otherwise any free ports, as 0 asks for.
--search-cluster keeps the time series in a real OpenSearch. It gets indices with sample data, which go when this stops.`;

/** @throws a sentence if an argument is invalid */
export function startOptions(args: readonly string[]): StartOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string' },
      'service-port': { type: 'string' },
      'front-port': { type: 'string' },
      profile: { type: 'string', default: '1.6' },
      'search-cluster': { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (!isProfile(values.profile))
    throw new Error(`--profile is one of ${Object.keys(profiles).join(', ')}, not ${values.profile}.`);
  return {
    profile: values.profile,
    port: portNumber('port', values.port) ?? 0,
    servicePort: portNumber('service-port', values['service-port']),
    frontPort: portNumber('front-port', values['front-port']),
    searchCluster: values['search-cluster'],
    help: values.help,
  };
}

function isProfile(name: string): name is ProfileName {
  return Object.hasOwn(profiles, name);
}

function portNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new Error(`--${name} is a number from 0 to 65535, not ${text}.`);
  return port;
}
