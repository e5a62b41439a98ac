import { stringify } from 'yaml';

/** The value as YAML. Loaded on use: the package is large. */
export const yamlOf = (value: unknown): string => stringify(value).trimEnd();
