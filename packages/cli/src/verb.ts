import type { Column } from './output/columns.js';

/** One command for one request of the API. */
export interface Verb {
  name: string;
  /** The method of the SDK: `group.method`. */
  operation: string;
  /** With the option for a division, the method for divisions is called instead. */
  ofDivision?: boolean;
  /** The method of the SDK that lists the items of every place. */
  all?: string;
  text: string;
  /** Whether the request deletes something. */
  deletes?: boolean;
  /** Members of the path that name the resource. */
  arguments: readonly VerbArgument[];
  /** Members of the path that name a level of the organization. */
  levels: readonly string[];
  /** Levels that the answer can be limited to: members of the query with the names of levels. */
  filters?: readonly string[];
  /** What the table of a list shows. */
  columns?: readonly Column[];
  /** The request that shows what this one would do, with the members that it takes. */
  preview?: { operation: string; members: readonly string[] };
  hasBody?: boolean;
  /** Whether the answer names an operation. */
  waits?: boolean;
  /** Whether the server repeats its first answer to the same idempotency key. */
  keyed?: boolean;
  /** Whether the answer is a stream of events. */
  streams?: boolean;
  options: readonly VerbOption[];
}

export interface VerbArgument {
  member: string;
  text: string;
  /** A value of the API description. */
  example?: string;
  finds?: Finder;
}

/** Where the id of a resource is, if a person names the resource. */
export interface Finder {
  /** The method of the SDK that lists the resources. */
  list: string;
  /** The member that is their name. */
  by: string;
  /** Members of the path of the list. */
  needs: readonly string[];
}

export interface VerbOption {
  /** The member of the request. `storage.type`: the member `type` of the object `storage`. */
  member: string;
  name: string;
  /** `json`: an object, or a list of objects. */
  kind: 'text' | 'number' | 'flag' | 'texts' | 'numbers' | 'json';
  choices?: readonly string[];
  required?: boolean;
  text: string;
  /** A value of the API description. */
  example?: string;
  /** A time, which a duration before or after now can name. */
  time?: 'past' | 'future';
  finds?: Finder;
  /** The level of the organization whose ids the option has. */
  level?: string;
}
