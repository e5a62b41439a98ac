import { ApiTime, ApiId, Resource } from '@libs/http';

/** A division: a group of environments of one tenant (C-8.6). */
@Resource<DivisionView>({
  id: 'division_id',
  namedBy: 'name',
  columns: ['id', 'name', 'protected', 'created_at', 'description'],
})
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
