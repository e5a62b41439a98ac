import type { DescribedColumn } from './described-statements.js';
import type { PropertyShape } from './row-shape.js';

/** A function that a statement calls for its effect: the result is no part of the row. */
const IS_EFFECT = ({ name, type }: DescribedColumn): boolean => type === 'void' || name === 'set_config';

/**
 * The differences between the columns of a statement and the properties of its row type. `isNeverNull` names columns
 * that a condition of the statement protects from null.
 */
export function rowDifferences(
  columns: DescribedColumn[],
  row: PropertyShape[],
  isNeverNull: (column: DescribedColumn) => boolean,
): string[] {
  const results = columns.filter((column) => !IS_EFFECT(column));
  const missing = row.filter(({ name }) => !results.some((column) => column.name === name));
  return [
    ...missing.map(({ name }) => `${name} is declared, and no column has this name`),
    ...results.flatMap((column) => {
      const property = row.find(({ name }) => name === column.name);
      if (!property) return [`${column.name} is a column, and it is not declared`];
      return columnDifferences(column, property, isNeverNull).map((text) => `${column.name} ${text}`);
    }),
  ];
}

function columnDifferences(
  column: DescribedColumn,
  property: PropertyShape,
  isNeverNull: (column: DescribedColumn) => boolean,
): string[] {
  const found = [];
  if (!fits(column, property)) found.push(`is ${column.type}, declared as ${property.text}`);
  if (property.isOptional) found.push('is declared as optional, and a column is always present');
  if (column.isNullable === true && !property.isNullable && !isNeverNull(column))
    found.push(`can be null (${column.source}), declared as ${property.text}`);
  if (column.isNullable === false && property.isNullable)
    found.push(`cannot be null (${column.source}), declared as ${property.text}`);
  return found;
}

function fits({ kind, element }: DescribedColumn, { kinds, elements, hasInnerDate }: PropertyShape): boolean {
  if (kinds.includes('any')) return true;
  if (kind === 'json') return !hasInnerDate && !kinds.some((declared) => declared === 'date' || declared === 'bytes');
  if (kinds.some((declared) => declared !== kind)) return false;
  return kind !== 'array' || elements.every((declared) => declared === element || declared === 'any');
}
