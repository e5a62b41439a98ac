import { ApiTime, Resource } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { TRANSFER_STATUSES, type TransferStatus } from '@libs/persistence/organization';

const NAMED = {
  type: 'object' as const,
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer' as const, format: 'int64', description: 'Id of the tenant, or of the user.' },
    name: { type: 'string' as const },
  },
};

/** An offer of a tenant: its owner offers the tenant to another member. */
@Resource<OwnershipTransferView>({
  id: 'ownership_transfer_id',
  columns: ['id', 'tenant', 'owner', 'status', 'created_at', 'expires_at'],
})
export class OwnershipTransferView {
  /** The transfer. */
  @ApiProperty({ type: 'integer', format: 'int64' })
  id: number;

  @ApiProperty({ ...NAMED, description: 'The tenant that is offered.' })
  tenant: { id: number; name: string };

  @ApiProperty({ ...NAMED, description: 'The owner who offers the tenant.' })
  owner: { id: number; name: string };

  @ApiProperty({
    type: 'string',
    enum: [...TRANSFER_STATUSES],
    description: 'replaced: the owner has offered the tenant again, to the same member or to another one.',
  })
  status: TransferStatus;

  @ApiTime('Time at which the offer expires, seven days after it was made.')
  expires_at: string;

  @ApiTime()
  created_at: string;
}
