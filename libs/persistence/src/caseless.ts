import { Raw, type FindOperator } from 'typeorm';

/** A text that equals the column without regard to case, as the unique indexes of names compare. */
export const caseless = (text: string): FindOperator<string> =>
  Raw((column) => `lower(${column}) = lower(:text)`, { text }) as FindOperator<string>;
