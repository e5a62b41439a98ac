/** The part of JSON Schema that the generated schemas use. */
export interface Schema {
  type?: string | readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  items?: Schema;
  additionalProperties?: boolean | Schema;
  [keyword: string]: unknown;
}

export interface ObjectSchema extends Schema {
  type: 'object';
  properties: Readonly<Record<string, Schema>>;
}

export interface ToolSchemas {
  input: ObjectSchema;
  /** A member of an answer that the schema does not name never leaves this process. */
  output: ObjectSchema;
}

export interface WriteToolSchemas extends ToolSchemas {
  /** What the key must be allowed to do. */
  permissions: readonly string[];
}
