// The refusals of sign-in. Each has one text whatever the reason, so that an answer does not reveal what was wrong with a name, a password
// or a token.

import { refusal } from '../../core/errors/refusals.js';
import { refusalError, type ServiceError, serviceError } from '../../core/errors/service-error.js';

export const invalidCredentials = (): ServiceError => serviceError('INVALID_CREDENTIALS', 'Invalid user credentials.');
export const invalidOtp = (): ServiceError => serviceError('INVALID_OTP', 'Invalid user OTP.');
export const codeRequired = (): ServiceError =>
  serviceError(
    'FORBIDDEN',
    'A second factor is required: sign in with a passkey, or enable one-time codes by /users/me/tfa/generate and /users/me/tfa/enable.',
    {
      reason: 'A second factor is required',
    },
  );
/** Of what an access key may not do, whatever the rights of its user. */
export const notByKey = (): ServiceError => refusalError('FORBIDDEN', refusal('not_by_key'), { reason: 'Access keys cannot do this' });
export const invalidIp = (): ServiceError => serviceError('INVALID_IP', 'Invalid IP address.');
