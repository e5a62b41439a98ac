import { Raw, type FindOperator } from 'typeorm';

/** A text that equals the column without regard to case, as the unique indexes of names compare. */
export const caseless = (text: string): FindOperator<string> =>
  Raw((column) => `lower(${column}) = lower(:text)`, { text }) as FindOperator<string>;

/** A time that the database has not reached. */
export const inFuture = (): FindOperator<Date> => Raw((column) => `${column} > now()`) as FindOperator<Date>;

/** A time that the database has reached. */
export const inPast = (): FindOperator<Date> => Raw((column) => `${column} <= now()`) as FindOperator<Date>;

/** A time that is this long ago, such as `30 days`. */
export const longAgo = (age: string): FindOperator<Date> =>
  Raw((column) => `${column} <= now() - cast(:age as interval)`, { age }) as FindOperator<Date>;

/** A filter of a statement: true without a value, otherwise whether the text contains it, without regard to case and without wildcards. */
export const containing = (text: string, place: number): string =>
  `($${place}::text is null or position(lower($${place}) in lower(${text})) > 0)`;

/** A filter of a statement: true without a value, otherwise whether the column has it. */
export const equalTo = (column: string, place: number): string => `($${place}::text is null or ${column} = $${place})`;
