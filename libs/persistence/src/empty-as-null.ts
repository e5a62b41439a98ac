import type { ColumnOptions } from 'typeorm';

/**
 * A text that may be null, in a column that cannot. The column has an empty text for null, because the release before reads and
 * writes it so. SQL reads such a column with `nullif`.
 */
export const EMPTY_AS_NULL: ColumnOptions = {
  default: '',
  transformer: {
    to: (value: unknown) => (value === null ? '' : value),
    from: (value: unknown) => (value === '' ? null : value),
  },
};
