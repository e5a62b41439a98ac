import { Example, IsIdList, Optional } from '@libs/http';

/** The letters to deliver again. */
@Example<ReplayDeadLettersDto>({})
export class ReplayDeadLettersDto {
  @Optional()
  @IsIdList(1, 1_000, 'Ids of letters. Default: all letters of the instance.')
  ids?: number[];
}
