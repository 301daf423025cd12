"""What state costs at scale: requests counted by a server of S3's kind, prices, recoveries, and a simulated cluster."""
