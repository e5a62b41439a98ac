import { ApiAnyValue, Resource } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { SETTING_KINDS, type SchemaEntry, type SchemaRule, type SchemaSection } from '@libs/broker-config';

/** A rule for the value of a key. */
export class SchemaRuleView implements SchemaRule {
  @ApiProperty({
    type: 'string',
    description:
      'minimum, maximum, or (another value that is taken), multiple_of, power_of, one_of, pattern, minimum_entries, maximum_entries, required, known_members, ignored_by (the runtime of the connector takes the key and does nothing with it), or the name of a rule between keys.',
  })
  rule: string;

  @ApiAnyValue('The bound (a number), the words (a list), the pattern (a text), or what the rule asks for.')
  value: SchemaRule['value'];
}

/** A key that must have a value before another key has an effect. */
export class SchemaRequirementView {
  /** Section included. */
  key: string;

  /** The value that the key must have. */
  @ApiProperty({ oneOf: [{ type: 'boolean' }, { type: 'string' }] })
  value: boolean | string;
}

/** One key of a section of a configuration (C-16.3). */
export class SchemaEntryView implements SchemaEntry {
  /** Name of the key below its section in `values`. */
  key: string;

  name: string;

  description: string;

  @ApiAnyValue('Default value: a number, boolean, text, list or object. Null when the broker chooses the default.')
  default_value: SchemaEntry['default_value'];

  /** Kind of the value. */
  @ApiProperty({ enum: [...SETTING_KINDS] })
  kind: SchemaEntry['kind'];

  @ApiProperty({
    enum: ['bytes', 'seconds', 'milliseconds'],
    nullable: true,
    description: 'Unit of the numbers in `rules`.',
  })
  unit: SchemaEntry['unit'];

  @ApiProperty({
    enum: ['user', 'admin', 'plane'],
    description: 'Who may set the key: everybody with the permission, only the roles owner and admin, or nobody.',
  })
  owner: SchemaEntry['owner'];

  /** False when nobody can set the key. */
  editable: boolean;

  /** True for a secret, which is shown as ********. */
  secret: boolean;

  /** Keys that must have a value before this key has an effect. */
  @ApiProperty({ type: [SchemaRequirementView] })
  requirements: SchemaRequirementView[];

  /** Rules for the value. */
  @ApiProperty({ type: [SchemaRuleView] })
  rules: SchemaRuleView[];

  /** True when applying a change of this key restarts the broker, or the connector. */
  restart_required: boolean;
}

/** A section of the schema of a configuration. */
@Resource<SchemaSectionView>({ columns: ['key', 'name', 'description'] })
export class SchemaSectionView implements SchemaSection {
  /** Name of the section in `values`. */
  key: string;

  name: string;

  description: string;

  /** Keys of the section. */
  @ApiProperty({ type: [SchemaEntryView] })
  schema: SchemaEntryView[];
}
