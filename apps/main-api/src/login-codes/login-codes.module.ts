import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import { LoginCodesRepository } from '@libs/persistence/organization';
import { ApiKeysModule } from '../api-keys/index.js';
import { LoginCodesController } from './login-codes.controller.js';
import { LoginCodes } from './login-codes.js';

@Module({
  imports: [ApiKeysModule, PersistenceModule.forFeature([LoginCodesRepository])],
  controllers: [LoginCodesController],
  providers: [LoginCodes],
})
export class LoginCodesModule {}
