/*---
metrics:
  share: { title: share, format: percent }
---*/
select sum(s.share) as other, 1 as share from s
