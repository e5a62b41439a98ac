import { IsFlag, IsName, IsText, Optional } from '@libs/http';
import { IsEmail, ValidateIf } from 'class-validator';

/** A new division. */
export class CreateDivisionDto {
  @IsName('Unique in the tenant, without regard to case.')
  name: string;

  @Optional()
  @IsText(500, 'What it is for.')
  description?: string;

  @Optional()
  @ValidateIf((dto: CreateDivisionDto) => dto.email !== '')
  @IsEmail()
  @IsText(254, 'Contact address.')
  email?: string;

  @Optional()
  @IsFlag('When true, deletion needs a one-time code.')
  protected?: boolean;
}
