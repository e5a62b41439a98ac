/** A request that changes something, as the OpenAPI document describes it. */
export interface RequestShape {
  method: 'POST' | 'PUT' | 'DELETE';
  /** With the names of its ids in braces. */
  path: string;
  text: string;
  /** The words of the command line. */
  command: string;
  /** The ids that the command takes as arguments. */
  arguments: readonly string[];
  /** The ids that the command takes as options: `division_id` is `--division`. */
  levels?: readonly string[];
  permission?: string;
  /** The path at which the record is read that the request changes. The request can name the etag of the record. */
  record?: string;
  /** Whether the request starts an operation, for whose end the command can wait. */
  waits?: boolean;
  /** The resource of Terraform that the request creates. */
  resource?: {
    type: string;
    attributes: readonly string[];
    /** Attribute → member, where the names differ. */
    renamed?: Readonly<Record<string, string>>;
  };
  members: readonly MemberShape[];
}

export interface MemberShape {
  /** `storage.type`: the member `type` of the object `storage`. */
  member: string;
  /** The option of the command. Members of one object can have one option, which is JSON. */
  option: string;
  kind: 'text' | 'number' | 'flag' | 'texts' | 'numbers' | 'json';
  text: string;
  choices?: readonly (string | number)[];
  required?: boolean;
  secret?: boolean;
  /** Whether a draft leaves the value out, although the form shows it. */
  unstored?: boolean;
  /** Whether the member is in the address of the request, not in its body. */
  query?: boolean;
  longest?: number;
  format?: string;
  default?: unknown;
}

export type RequestTable = Readonly<Record<string, Readonly<Record<string, RequestShape>>>>;

/** The ids in the path of a request, apart from the tenant. */
export type PathIds = Readonly<Record<string, string | number>>;
/** What a request sends, in the members of the API. */
export type Input = Readonly<Record<string, unknown>>;
