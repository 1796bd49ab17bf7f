/** Sends bytes that do not depend on data, with an ETag, or 304. */
import { representationOf } from '../body/whole-body.ts'
import type { WholeBody } from '../body/whole-body.ts'
import type { ApiContext } from './active-requests.ts'
import { chooseCoding } from './negotiation.ts'
import { sendBytes } from './send-response.ts'

export async function sendCompressed(
  ctx: ApiContext,
  body: WholeBody,
  head: { readonly contentType: string; readonly cacheControl?: string },
): Promise<void> {
  const accepted = chooseCoding(ctx.headers['accept-encoding'])
  const { organization } = ctx.state
  const sent = await representationOf(body, accepted, organization?.id ?? '')
  sendBytes(ctx, { ...head, coding: sent.coding }, sent)
}
