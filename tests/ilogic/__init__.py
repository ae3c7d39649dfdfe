"""The iLogic rule, compiled and run in a simulated Inventor."""
