-- of: good/payments-1.sql
- ---*/
+ ---*/
+ -- Tried with curl -H 'X-Api-Key: sk_live_Xq93kd02mz'. -- expect: secret
