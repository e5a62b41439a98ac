import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { Catalog } from './catalog.js';
import { catalogSchema } from './catalog.schema.js';
import { DEFAULT_CATALOG } from './data/default-catalog.js';

/** The catalog document is invalid. Stops the boot and lists every problem. */
export class CatalogInvalid extends Error {}

/**
 * Reads and validates the catalog: the operator's JSON file, or the built-in one.
 * @throws CatalogInvalid that lists every problem.
 */
export function loadCatalog(file?: string): Catalog {
  const document: unknown = file ? JSON.parse(readFileSync(file, 'utf8')) : DEFAULT_CATALOG;
  const parsed = catalogSchema.safeParse(document);
  if (!parsed.success) throw new CatalogInvalid(`catalog ${file ?? '(built in)'}:\n${z.prettifyError(parsed.error)}`);
  return new Catalog(parsed.data);
}
