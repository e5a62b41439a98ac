import { ClassicLevel } from 'classic-level';
import type { ValueCipher } from '../../encryption/value-cipher.js';

type Options = Record<string, unknown>;
type Method = (...args: unknown[]) => unknown;

/** Methods that encode or decode values, and the position of their options. `values` reads with `iterator`. */
const OPTIONS_AT = { get: 1, getMany: 1, put: 2, iterator: 0 } as const;

/**
 * Encrypts every value of a store with this cipher. Keys stay readable: they have the names of topics and the ids of clients.
 * The store itself chooses the encoding, so that no caller can write a plain value.
 */
export function sealValues(store: ClassicLevel, cipher: ValueCipher): void {
  const valueEncoding = {
    name: 'landlord-sealed',
    format: 'buffer' as const,
    encode: (value: string | Uint8Array) => cipher.seal(typeof value === 'string' ? Buffer.from(value) : value),
    decode: (value: Uint8Array) => cipher.open(value),
  };
  const methods = store as unknown as Record<string, Method>;
  for (const [name, at] of Object.entries(OPTIONS_AT)) {
    const method = methods[name]?.bind(store) as Method;
    methods[name] = (...args) => {
      args[at] = { ...(args[at] as Options | undefined), valueEncoding };
      return method(...args);
    };
  }
  const batch = methods['batch']?.bind(store) as Method;
  methods['batch'] = (...args) => {
    // Without operations `batch` starts a chain. No caller puts values with a chain.
    if (args.length === 0) return deletionsOnly(batch() as Record<string, Method>);
    const [operations, options] = args as [Options[], Options | undefined];
    return batch(
      operations.map((one) => ({ ...one, valueEncoding })),
      { ...options, valueEncoding },
    );
  };
}

function deletionsOnly(chain: Record<string, Method>): Record<string, Method> {
  chain['put'] = () => {
    throw new TypeError('a chain of this store cannot put values');
  };
  return chain;
}
