import { IsFlag, IsName, IsText, Optional, UpdateDto } from '@libs/http';
import { IsEmail, ValidateIf } from 'class-validator';

/** Any of the members of a division that can change. */
export class UpdateDivisionDto extends UpdateDto {
  @Optional()
  @IsName('Unique in the tenant, without regard to case.')
  name?: string;

  @Optional()
  @IsText(500, 'What it is for.')
  description?: string;

  @Optional()
  @ValidateIf((dto: UpdateDivisionDto) => dto.email !== '')
  @IsEmail()
  @IsText(254, 'Contact address.')
  email?: string;

  @Optional()
  @IsFlag('When true, deletion needs a one-time code.')
  protected?: boolean;
}
