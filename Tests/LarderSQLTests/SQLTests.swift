import LarderSQL
import Testing
