import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './operations-of.js';

interface Parameter {
  in: string;
  name: string;
  required?: boolean;
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
}

/**
 * Puts the parameters of each operation in the order in which generated methods take them: those of the path as they stand in it,
 * then the other required ones, then the optional ones. Many ids are whole numbers, so a call with two of them swapped compiles.
 */
export function orderParameters(document: OpenAPIObject): OpenAPIObject {
  for (const { path, operation } of operationsOf<Operation>(document))
    operation.parameters?.sort((one, other) => rankIn(path, one) - rankIn(path, other));
  return document;
}

/** Places in a path are below its length. */
const rankIn = (path: string, { in: place, name, required }: Parameter): number =>
  place === 'path' ? path.indexOf(`{${name}}`) : path.length + (required ? 0 : 1);
