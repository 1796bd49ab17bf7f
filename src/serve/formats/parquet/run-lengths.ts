/** Whole numbers as Parquet's hybrid of run lengths and packed bits. */
import type { ByteWriter } from 'hyparquet-writer'

/** Numbers are packed by eights, and a run shorter than that is packed, too. */
const GROUP = 8

/**
 * @param bits that every value fits into
 * @see https://parquet.apache.org/docs/file-format/data-pages/encodings/#RLE
 */
export function writeRunLengths(
  to: ByteWriter,
  values: Uint8Array | Int32Array,
  bits: number,
): void {
  let packedStart = 0
  let at = 0
  while (at < values.length) {
    const end = endOfRun(values, at)
    if (end - at < GROUP) at += GROUP
    else {
      writePacked(to, values.subarray(packedStart, at), bits)
      to.appendVarInt((end - at) << 1)
      for (let shift = 0; shift < bits; shift += 8) to.appendUint8((values[at]! >> shift) & 0xff)
      at = end
      packedStart = end
    }
  }
  writePacked(to, values.subarray(packedStart), bits)
}

function endOfRun(values: Uint8Array | Int32Array, start: number): number {
  const value = values[start]
  let end = start + 1
  while (end < values.length && values[end] === value) end += 1
  return end
}

function writePacked(to: ByteWriter, values: Uint8Array | Int32Array, bits: number): void {
  if (values.length === 0) return
  const groupCount = Math.ceil(values.length / GROUP)
  const packed = new Uint8Array(groupCount * bits)
  let at = 0
  let pending = 0
  let pendingBits = 0
  for (let place = 0; place < values.length; place += 1) {
    pending |= values[place]! << pendingBits
    pendingBits += bits
    for (; pendingBits >= 8; pendingBits -= 8) {
      packed[at++] = pending
      pending >>>= 8
    }
  }
  if (pendingBits > 0) packed[at] = pending
  to.appendVarInt((groupCount << 1) | 1)
  to.appendBytes(packed)
}
