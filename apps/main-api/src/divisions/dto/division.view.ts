import { ApiTime, ApiId } from '@libs/http';

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

  @ApiTime()
  created_at: string;

  @ApiTime()
  updated_at: string;
}
