import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { Catalog } from './catalog.js';
import { catalogSchema } from './catalog.schema.js';
import { DEFAULT_CATALOG } from './data/default-catalog.js';

/** The catalog document is not usable; stops the boot with every problem at once. */
export class CatalogInvalid extends Error {}

/**
 * Reads and validates the catalog: the operator's JSON file, or the one that ships.
 * @throws CatalogInvalid naming every problem.
 */
export function loadCatalog(file?: string): Catalog {
  const document: unknown = file ? JSON.parse(readFileSync(file, 'utf8')) : DEFAULT_CATALOG;
  const parsed = catalogSchema.safeParse(document);
  if (!parsed.success) throw new CatalogInvalid(`catalog ${file ?? '(built in)'}:\n${z.prettifyError(parsed.error)}`);
  return new Catalog(parsed.data);
}
