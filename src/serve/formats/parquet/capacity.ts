/** @returns the same array if it is long enough, else one of at least twice its length that begins with it */
export function withCapacity<Some extends Buffer | Int32Array>(some: Some, length: number): Some {
  if (length <= some.length) return some
  const larger =
    some instanceof Int32Array
      ? new Int32Array(Math.max(length, some.length * 2))
      : Buffer.allocUnsafeSlow(Math.max(length, some.length * 2))
  larger.set(some)
  return larger as Some
}
