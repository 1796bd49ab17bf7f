/** Rows of goods for tests that make their own: planks in one warehouse. */
export const product = { name: 'Доска', unit: 'шт', kind: 'goods' }
export const receipt = {
  kind: 'receipt',
  moved_at: '2026-01-01T09:00:00Z',
  warehouse_id: 1,
  quantity: '10',
  cost_kopecks: '1000',
}

export function receiptOf(id: number) {
  return { ...receipt, id, product_id: id }
}

export function planks(count: number) {
  return Array.from({ length: count }, (_, at) => ({
    ...product,
    id: at + 1,
    name: `Доска ${at + 1}`,
  }))
}

/** A document of one line, which the warehouse ships on the same day. */
export function shipment(
  id: number,
  product_id: number,
  day: string,
  quantity: string,
  amount: string,
  kind = 'sale',
) {
  const shipped_at = `${day}T09:00:00Z`
  return {
    sale: { id, kind, status: 'posted', shipped_at },
    line: { id, sale_id: id, product_id, quantity, amount_kopecks: amount },
    movement: {
      ...receipt,
      id: 1000 + id,
      kind: kind === 'sale' ? 'sale' : 'customer_return',
      moved_at: shipped_at,
      product_id,
      quantity: kind === 'sale' ? `-${quantity}` : quantity,
      cost_kopecks: kind === 'sale' ? '-100' : '100',
      sale_line_id: id,
    },
  }
}

export function shipped(shipments: ReturnType<typeof shipment>[]) {
  return {
    sales: shipments.map(one => one.sale),
    sale_lines: shipments.map(one => one.line),
    stock_movements: shipments.map(one => one.movement),
  }
}
