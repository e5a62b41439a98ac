import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/index.js';
import { LoginCodesController } from './login-codes.controller.js';
import { LoginCodes } from './login-codes.js';

@Module({
  imports: [ApiKeysModule],
  controllers: [LoginCodesController],
  providers: [LoginCodes],
})
export class LoginCodesModule {}
