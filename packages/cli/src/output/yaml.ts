import { parse, stringify } from 'yaml';

/** The value as YAML. Loaded on use: the package is large. */
export const yamlOf = (value: unknown): string => stringify(value).trimEnd();

/** The value of a text. @throws what `refusal` makes of the message of a syntax error */
export function yamlValue(text: string, refusal: (message: string) => Error): unknown {
  try {
    return parse(text) as unknown;
  } catch (error) {
    throw refusal((error as Error).message);
  }
}
