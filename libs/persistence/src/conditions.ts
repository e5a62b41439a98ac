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
