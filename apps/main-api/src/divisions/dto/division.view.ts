import { ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** A division: a group of environments of one tenant (C-8.6). */
export class DivisionView {
  @ApiId('The division.')
  id: number;

  name: string;

  /** Null for none. */
  description: string | null;

  /** Contact address; null for none. */
  email: string | null;

  /** True: deletion needs a one-time code. */
  protected: boolean;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updated_at: string;
}
