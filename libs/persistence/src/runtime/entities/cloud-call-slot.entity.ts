import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The pace of one kind of calls to a cloud, for all processes. */
@Entity('cloud_call_slots')
export class CloudCallSlot {
  /** The driver, the account, the region and the kind of calls. */
  @PrimaryColumn('text')
  bucket: string;

  /** When the bucket would be full again. */
  @Column('timestamptz')
  full_at: Date;
}
