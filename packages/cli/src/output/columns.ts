/** A member of the items of a list, as a column of its table. */
export interface Column {
  member: string;
  /** What a person reads in another form: an age, a size with its unit, the name of a level instead of its id. */
  kind?: 'time' | 'size' | 'place';
}

/** How a list is shown. */
export interface Shape {
  /** The columns in the order of their importance. Without them, those of the items. */
  columns?: readonly Column[] | undefined;
  /** Every member of the items is a column, and times are exact. */
  isWide?: boolean;
  /** The columns of the terminal. Undefined: a program reads, nothing is cut, and times are exact. */
  width?: number | undefined;
  /** The name of a level of the organization, by the member that has its id. */
  nameOf?: ((member: string, id: number) => string | undefined) | undefined;
}
