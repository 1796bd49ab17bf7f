/** One field as a format writes it. */
import type { WriteBytes } from '../../src/formats/format.ts'
import { viewOf } from '../../src/row-bytes.ts'

/** Undefined where it is not of the type. The field lies among other bytes. */
export function fieldWritten(write: WriteBytes, raw: string | Buffer): string | undefined {
  const field = Buffer.from(raw)
  const from = Buffer.concat([Buffer.from('-1"'), field, Buffer.from('"1')])
  const to = Buffer.alloc(field.length * 2 + 16)
  const end = write(
    { bytes: from, view: viewOf(from) },
    3,
    3 + field.length,
    { bytes: to, view: viewOf(to) },
    0,
  )
  return end < 0 ? undefined : to.toString('utf8', 0, end)
}
