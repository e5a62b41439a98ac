import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A migration that every app on this schema must know. */
@Entity('schema_requirements')
export class SchemaRequirement {
  @PrimaryColumn('text')
  migration: string;

  @Column('text')
  reason: string;

  @Column('timestamptz', { default: () => 'now()' })
  since: Date;
}
