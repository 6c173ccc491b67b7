import { isRecord } from '../../tools/json.ts';
import { json, type Reply } from './http.ts';

/** An operation that ends with an HTTP status and the error body of the Rest.li framework. */
export class RestLiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const protocolVersion = { 'x-restli-protocol-version': '1.0.0' };

export function restLiValue(value: unknown): Reply {
  return json(200, { value }, protocolVersion);
}

/** The error body with its stack trace, which clients must not show. */
export function restLiError({ status, message }: RestLiError): Reply {
  const exceptionClass = 'com.linkedin.restli.server.RestLiServiceException';
  const place = 'com.linkedin.metadata.resources.operations.OperationsResource.java:1';
  const stackTrace = `${exceptionClass} [HTTP Status:${status}]: ${message}\n\tat ${place}\n`;
  return json(
    status,
    { exceptionClass, stackTrace, message, status },
    { ...protocolVersion, 'x-restli-error-response': 'true' },
  );
}

type ParameterType = 'string' | 'boolean' | 'int' | 'long';

/** An action's typed parameters, read from its JSON body. Every refusal is a 400 in the framework's words. */
export class ActionParameters {
  readonly #action: string;
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(action: string, values: unknown) {
    if (!isRecord(values)) {
      throw new RestLiError(400, 'Cannot parse request entity');
    }
    this.#action = action;
    this.#values = values;
  }

  required(name: string, type: 'string'): string;
  required(name: string, type: 'long'): number;
  required(name: string, type: ParameterType): unknown {
    const value = this.#read(name, type);
    if (value === null) {
      throw this.#invalid(name, 'field is required but not found and has no default value');
    }
    return value;
  }

  text(name: string): string | null {
    return this.#read(name, 'string') as string | null;
  }

  flag(name: string): boolean | null {
    return this.#read(name, 'boolean') as boolean | null;
  }

  whole(name: string, type: 'int' | 'long'): number | null {
    return this.#read(name, type) as number | null;
  }

  /** Refuses parameters that the action does not know. */
  onlyKnown(names: readonly string[]): void {
    for (const name of Object.keys(this.#values)) {
      if (!names.includes(name)) {
        throw this.#invalid(name, 'unrecognized field found but not allowed');
      }
    }
  }

  #read(name: string, type: ParameterType): unknown {
    const value = this.#values[name];
    if (value === undefined) {
      return null;
    }
    if (!fits(value, type)) {
      throw this.#invalid(name, `${JSON.stringify(value)} cannot be coerced to ${type}`);
    }
    return value;
  }

  #invalid(name: string, problem: string): RestLiError {
    return new RestLiError(
      400,
      `Parameters of method '${this.#action}' failed validation with error 'ERROR :: /${name} :: ${problem}\n'`,
    );
  }
}

function fits(value: unknown, type: ParameterType): boolean {
  if (type === 'string' || type === 'boolean') {
    return typeof value === type;
  }
  return Number.isSafeInteger(value) && (type === 'long' || Math.abs(Number(value)) <= 0x7fff_ffff);
}
