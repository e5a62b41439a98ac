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
  const document: unknown = file ? readDocument(file) : DEFAULT_CATALOG;
  const parsed = catalogSchema.safeParse(document);
  if (!parsed.success) throw new CatalogInvalid(`catalog ${file ?? '(built in)'}:\n${z.prettifyError(parsed.error)}`);
  return new Catalog(parsed.data);
}

/** The problem of the operator's file, in one line. Empty for a usable file, and for the built-in catalog. */
export function catalogProblems(file: string | undefined): { name: 'CATALOG_FILE'; expected: string }[] {
  try {
    if (file) loadCatalog(file);
    return [];
  } catch (error) {
    return [{ name: 'CATALOG_FILE', expected: (error as Error).message.replaceAll(/\s*\n\s*/g, ' ') }];
  }
}

function readDocument(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new CatalogInvalid(`catalog ${file} cannot be read as JSON: ${(cause as Error).message}`, {
      cause,
    });
  }
}
